class Config:
    jax_array = True

    def update(self, name, value):
        setattr(self, name, value)


config = Config()
