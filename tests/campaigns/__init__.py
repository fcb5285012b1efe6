"""Long tests, run before a release: `ops/test --campaigns`. They may draw their seeds, and print them."""
