import { type Resource, walk } from './kustomize.ts';

/** Something that a manifest names, and where. */
export interface ConfigReference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Undefined: all of it. */
  readonly key?: string | undefined;
  readonly by: string;
}

interface Reference {
  readonly name?: string;
  readonly secretName?: string;
  readonly certificateRefs?: readonly { readonly name: string }[];
  readonly key?: string;
  readonly items?: readonly { readonly key: string }[];
}

/** Fields that name a ConfigMap or a Secret, by the name of the field. */
const FIELDS: Readonly<Record<string, ConfigReference['kind']>> = {
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  configMapRefs: 'ConfigMap',
  configMap: 'ConfigMap',
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  secret: 'Secret',
  passwordSecret: 'Secret',
  secretTargetRef: 'Secret',
  credentials: 'Secret',
  accessKeyId: 'Secret',
  secretAccessKey: 'Secret',
};

/** Every ConfigMap and Secret that a resource names, with the keys it wants. */
export function configReferencesOf(resource: Resource): readonly ConfigReference[] {
  const by = `${resource.kind} ${resource.metadata.name}`;
  const found: ConfigReference[] = [];
  walk(resource['spec'], (field, value) => {
    const kind = FIELDS[field];
    // A certificate is named by the name of its secret alone: spec.tls of a broker, an ingress and a listener of a gateway.
    if (field === 'tls')
      for (const { secretName, certificateRefs = [{ name: secretName! }] } of [value].flat() as Reference[])
        for (const { name } of certificateRefs) for (const key of ['tls.crt', 'tls.key']) found.push({ kind: 'Secret', name, key, by });
    if (kind === undefined) return;
    for (const each of [value].flat() as Reference[]) {
      const name = each.name ?? each.secretName;
      if (name === undefined) continue;
      const keys = each.key === undefined ? each.items?.map(({ key }) => key) : [each.key];
      for (const key of keys ?? [undefined]) found.push({ kind, name, key, by });
    }
  });
  return found;
}
