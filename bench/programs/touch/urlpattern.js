() => typeof URLPattern
