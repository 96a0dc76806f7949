() => typeof crypto.subtle
