"""The differences between the evaluator and jsonata 2.0.6 that are intended. `reference.js` has those that change a result everywhere."""


def reason(expression, ours, theirs):
    """Returns why the two results may differ, or None."""
    return None
