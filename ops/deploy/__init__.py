"""Deployment: container files, Kubernetes manifests, and the build of the wheel."""
