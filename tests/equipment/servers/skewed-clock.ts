import { readFileSync } from 'node:fs';

/**
 * Preloaded with `--import`, sets the clock of a process apart by `CLOCK_SKEW_MS`, or by what the file `CLOCK_SKEW_FOLDER/<PORT>` says, which it
 * follows. The monotonic clock goes on as it is.
 */
const { CLOCK_SKEW_MS: initialMs = '0', CLOCK_SKEW_FOLDER: folder, PORT: name } = process.env;
const LOOK_EVERY_MS = 20;

function readSkew(): number {
  try {
    return Number(readFileSync(`${folder}/${name}`, 'utf8'));
  } catch {
    return Number(initialMs);
  }
}

let aheadMs = readSkew();
setInterval(() => (aheadMs = readSkew()), LOOK_EVERY_MS).unref();

const RealDate = Date;
const now = (): number => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: []) => (args.length ? new target(...args) : new target(now())),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
});
