import { access } from 'node:fs/promises';
import { type Log, Unavailable } from '../strategy.ts';
import { runProgram } from './run-program.ts';

/** dpkg runs one installation at a time, and two packages may be needed. */
let turn: Promise<unknown> = Promise.resolve();

/** Asks whether a package may be installed. */
export type AskToInstall = (name: string) => Promise<boolean>;

/**
 * Installs a Debian package without starting its service. Throws `Unavailable` where we are not root, there is no apt, or `mayInstall` says no.
 * The policy that keeps services from starting is taken back by the shell that set it, also when we die meanwhile.
 */
export function installWithApt(name: string, say: Log, mayInstall?: AskToInstall): Promise<void> {
  const mine = turn.then(() => install(name, say, mayInstall));
  turn = mine.catch(() => undefined);
  return mine;
}

async function install(name: string, say: Log, mayInstall: AskToInstall = async () => true): Promise<void> {
  if (process.getuid?.() !== 0) throw new Unavailable('we are not root');
  await access('/usr/bin/apt-get').catch(() => {
    throw new Unavailable('this is no Debian');
  });
  if (!(await mayInstall(name))) throw new Unavailable('was not allowed to install it; --install allows it');
  say(`installing the Debian package ${name}`);
  const { code, output } = await runProgram('/bin/sh', ['-c', script, 'sh', name]);
  if (code !== 0) throw new Error(`apt-get install ${name} failed:\n${output.split('\n').slice(-15).join('\n')}`);
}

/** invoke-rc.d asks /usr/sbin/policy-rc.d; 101 means: forbidden. */
const script = `
set -eu
policy=/usr/sbin/policy-rc.d
put_back() { rm -f "$policy"; if [ -e "$policy.kept" ]; then mv "$policy.kept" "$policy"; fi; }
if [ -e "$policy" ]; then mv "$policy" "$policy.kept"; fi
trap put_back EXIT
trap 'exit 130' INT TERM HUP
printf '#!/bin/sh\\nexit 101\\n' >"$policy"
chmod 755 "$policy"
export DEBIAN_FRONTEND=noninteractive
get() { apt-get -q -y -o DPkg::Lock::Timeout=120 "$@"; }
get install --no-install-recommends "$1" || { get update && get install --no-install-recommends "$1"; }
`;
