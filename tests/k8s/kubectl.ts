import { execFileSync } from 'node:child_process';
import type { Resource } from './kustomize.ts';
import { parseAllDocuments } from 'yaml';

/** Why `kubectl kustomize` cannot be asked here; undefined where it can. Before 1.21 it knows no components. */
export function whyNoKubectl(): string | undefined {
  try {
    const said = execFileSync('kubectl', ['version', '--client', '--output=json'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
    const { clientVersion } = JSON.parse(said) as { clientVersion: { major: string; minor: string } };
    const minor = Number.parseInt(clientVersion.minor, 10);
    return clientVersion.major === '1' && minor >= 27 ? undefined : `kubectl is ${clientVersion.major}.${minor}, and 1.27 is wanted`;
  } catch {
    return 'there is no kubectl';
  }
}

/** What kubectl makes of a folder. */
export function kubectlRenders(folder: string): readonly Resource[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { maxBuffer: 1 << 26 }).toString();
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}
