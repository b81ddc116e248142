/** A key of the gateway's HTTP API. */
export interface StoredKey {
  readonly id: string;
  /** Hexadecimal SHA-256 of the secret. */
  readonly digest: string;
  /** When it was created, in milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  /** Whose it is and what it may do, as JSON. */
  readonly about: object;
}

/** The keys that administrators of the gateway created. */
export interface GatewayKeys {
  /** All keys, the oldest first. */
  list(): Promise<readonly StoredKey[]>;
  /** @throws when the id or the digest is taken */
  add(key: StoredKey): Promise<void>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
}
