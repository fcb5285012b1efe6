"""One module of folds for each module of facts."""
