"""From findings to diagnostics: texts, traces, comments that ignore, baselines."""
