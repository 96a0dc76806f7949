() => [typeof fetch, typeof Headers, typeof Request, typeof Response]
