import { setTimeout as after } from 'node:timers/promises';
import type { ContainerRuntimeClient } from 'testcontainers';
import { disableRyuk, type DevServersConfig } from '../config.ts';
import { type Log, errorMessage, Unavailable } from '../strategy.ts';

/** A Docker engine that answers. */
interface Engine {
  /** Whether a container of its own removes ours when we die; otherwise we have to see to it. */
  readonly cleansUp: boolean;
}

/** How long an image may take to arrive, five minutes: then something else is better. */
const pullMs = 300_000;

let ryuk: Promise<boolean> | undefined;

/** The engine, with this image on it. Throws `Unavailable` when there is none, or the image can neither be found nor fetched. */
export async function engineWith(image: string, config: DevServersConfig, say: Log): Promise<Engine> {
  const client = await connect();
  const reason = await fetched(client, image, say);
  if (reason) {
    say(`a Docker engine answers, but the image ${image} cannot be pulled: ${reason}`);
    throw new Unavailable(`the image ${image} cannot be pulled: ${reason}`);
  }
  ryuk ??= cleaner(client, config, say);
  return { cleansUp: await ryuk };
}

async function connect(): Promise<ContainerRuntimeClient> {
  const library = await import('testcontainers').catch(() => {
    throw new Unavailable('the package testcontainers is not installed');
  });
  return library.getContainerRuntimeClient().catch(() => {
    throw new Unavailable('no engine answers');
  });
}

async function cleaner(client: ContainerRuntimeClient, config: DevServersConfig, say: Log): Promise<boolean> {
  if (config.ryukImage && !(await fetched(client, config.ryukImage, say))) return true;
  disableRyuk();
  return false;
}

/** Undefined when the image is there or has been fetched; otherwise why not. */
async function fetched(client: ContainerRuntimeClient, image: string, say: Log): Promise<string | undefined> {
  const { ImageName } = await import('testcontainers');
  const name = ImageName.fromString(image);
  if (await client.image.exists(name)) return undefined;
  say(`fetching the image ${image}`);
  const tooLong = after(pullMs, `it did not arrive within ${pullMs / 60_000} minutes`, { ref: false });
  return Promise.race([client.image.pull(name).then(() => undefined, errorMessage), tooLong]);
}
