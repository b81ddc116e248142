/**
 * Puts the digest of its image behind every tag of rendered manifests, so that what was tested is what runs: reads them on standard input, and writes
 * them to standard output. Asks the registries by `docker buildx imagetools`.
 *
 *     kubectl kustomize infra/k8s/overlays/small | node infra/k8s/pin-images.ts registry.example.org/maw:0.1.0=ghcr.io/example/maw:1.2.3
 *
 * An argument IMAGE=OTHER takes another image instead; OTHER may have its digest already.
 */
import { execFile } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A line of a manifest that names an image, up to the name, and the name. */
const IMAGE = /^((?:[^\S\n]*- |[^\S\n]*)(?:image|imageName): )([\w./:@-]+)$/gm;

/** @throws Error of docker, with the image */
export async function digestOf(image: string): Promise<string> {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const { stdout } = await promisify(execFile)('docker', args);
  return stdout.trim();
}

/** @throws Error for an image whose digest is not one, or that is to be replaced and is not there */
export async function pinImages(
  manifests: string,
  others: ReadonlyMap<string, string>,
  lookUp: (image: string) => Promise<string> = digestOf,
): Promise<string> {
  const named = new Set([...manifests.matchAll(IMAGE)].map(([, , image]) => image!));
  const absent = [...others.keys()].filter((image) => !named.has(image));
  if (absent.length > 0) throw new Error(`no manifest names ${absent.join(', ')}`);
  const pinned = new Map<string, string>();
  for (const image of named) {
    const taken = others.get(image) ?? image;
    const [name, digest = await lookUp(taken)] = taken.split('@');
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${taken}: "${digest}" is no digest`);
    pinned.set(image, `${name}@${digest}`);
  }
  return manifests.replaceAll(IMAGE, (_, before: string, image: string) => before + pinned.get(image)!);
}

if (import.meta.main) {
  const others = new Map(process.argv.slice(2).map((each) => each.split('=') as [string, string]));
  try {
    process.stdout.write(await pinImages(await text(process.stdin), others));
  } catch (error) {
    process.stderr.write(`pin-images: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
