// The SDK's types name a browser global that Node's own types lack.
type HeadersInit = NonNullable<RequestInit['headers']>;
