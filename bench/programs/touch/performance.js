() => typeof performance
