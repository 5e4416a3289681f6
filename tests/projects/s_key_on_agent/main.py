"""A method that draws from the object's key repeats itself when called again; one that refreshes the key, or a new key in between, does not."""

from agent import Agent, FreshAgent


def main():
    stale = Agent(0, 100)
    first = stale.act()
    second = stale.act()  #! JAX301
    print(int(first), int(second))

    reseeded = Agent(1, 100)
    first = reseeded.act()
    reseeded.reseed(2)
    second = reseeded.act()
    print(int(first), int(second))

    fresh = FreshAgent(0, 100)
    print([int(fresh.act()) for _ in range(3)])

    pair = Agent(3, 100), Agent(4, 100)
    print([int(agent.act()) for agent in pair])


if __name__ == "__main__":
    main()
