/** A version of a policy: a network that chooses discussion tactics. It is never changed. */
export interface PolicyVersion {
  readonly name: string;
  /** 1, 2, 3 ... by name. */
  readonly version: number;
  /** When it was stored, in milliseconds since the epoch. */
  readonly at: number;
  /** What its weights are, and what they were trained on. JSON. */
  readonly card: { readonly [field: string]: unknown };
}

export interface StoredPolicy extends PolicyVersion {
  /** A safetensors file, as base64. */
  readonly weights: string;
}

/** Policies by name and version. */
export interface Policies {
  /** Stores a policy as the next version of its name. Returns the version. */
  add(policy: Omit<StoredPolicy, 'version'>): Promise<number>;
  /** All versions by name and version, of one name if it is given. */
  list(name?: string): Promise<readonly PolicyVersion[]>;
  get(name: string, version: number): Promise<StoredPolicy | undefined>;
}
