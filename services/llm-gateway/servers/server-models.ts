import { semaphore } from '@maw/async/semaphore.ts';
import { isCloud, isModelName, keyOf } from '@maw/contracts/model-name.ts';
import type { Takes } from '../providers/families/families.ts';
import type { Provider } from '../providers/provider.ts';

/** A model on a server. */
export interface Model {
  readonly name: string;
  readonly digest: string;
  /** Undefined when the server did not say. */
  readonly capabilities: readonly string[] | undefined;
  readonly family: string;
  /** What requests must look like; more is learned from refusals. It is forgotten when the digest changes. */
  takes: Takes;
}

export const canChat = ({ capabilities }: Model): boolean => capabilities?.includes('completion') ?? false;

/** Whether it is chosen where none is named: a base model only continues texts. */
const isChosen = (model: Model): boolean => canChat(model) && !model.takes.isBase;

export type ServerModels = ReturnType<typeof serverModels>;

/** How many models a server is asked about at once. */
const SHOWN_AT_ONCE = 4;

/** Ollama gives models of these families one slot whatever it is told (server/sched.go). */
const SINGLE_SLOT = /^(mllama|qwen3vl(moe)?|qwen35(moe)?|qwen3next|lfm2(moe)?|nemotron_h(_moe|_omni)?)$/;

/** How long a model that was seen in memory is believed to be there, and how long a server may take to say so again, in milliseconds. */
const BELIEVED_MS = 1_000;

/** The models of a server and which of them are in its memory. They go by `keyOf` their name. */
export function serverModels(provider: Provider, now: () => number) {
  let models: ReadonlyMap<string, Model> = new Map();
  /** What is asked of them in every request. */
  let firstChat: string | undefined;
  let singleSlot = new Set<string>();
  let isListed = false;
  const resident = residentModels(provider, now, () => models.keys());

  function setModels(to: ReadonlyMap<string, Model>): void {
    models = to;
    firstChat = [...models.keys()].find((key) => isChosen(models.get(key)!));
    singleSlot = new Set([...models.keys()].filter((key) => SINGLE_SLOT.test(models.get(key)!.family)));
  }

  return {
    get size() {
      return models.size;
    },
    has: (model: string): boolean => models.has(model),
    get: (model: string): Model | undefined => models.get(model),
    /** The key of the first model that can chat. */
    firstChat: (): string | undefined => firstChat,
    keys: () => models.keys(),
    values: () => models.values(),
    /** Whether the server has the model or, never having been listed, might have it. */
    mayHave: (model: string): boolean => models.has(model) || !isListed,
    /** Whether Ollama gives this model one slot, however many the server has. */
    isSingleSlot: (model: string): boolean => singleSlot.has(model),
    isResident: resident.has,
    isSeen: resident.isSeen,
    isStillResident: resident.isStillThere,
    markUsed: resident.markUsed,
    /** The server says that it does not have the model after all. */
    remove(model: string): void {
      setModels(new Map([...models].filter(([key]) => key !== model)));
      resident.remove(model);
    },
    /** Lists them anew. @throws what the provider throws when there is no list */
    async refresh(timeout: () => AbortSignal): Promise<void> {
      setModels(await listModels(provider, models, timeout));
      isListed = true;
    },
    refreshResident: resident.refresh,
    clearResident: resident.clear,
  };
}

/** Which models are in the memory of a server, as far as is known. @param listed the keys of all that it has */
function residentModels(provider: Provider, now: () => number, listed: () => Iterable<string>) {
  /** When each was last known to be there. */
  let seenAt = new Map<string, number>();
  /** For each time that the server is being asked: the models used meanwhile. */
  const usedMeanwhile = new Set<Map<string, number>>();
  let asking: Promise<boolean> | undefined;

  /** Asks the server; keeps what is known when it does not say. @returns whether it has said it */
  async function refresh(timeout: AbortSignal): Promise<boolean> {
    const [at, used] = [now(), new Map<string, number>()];
    usedMeanwhile.add(used);
    const names = await provider.resident(timeout).catch(() => undefined);
    usedMeanwhile.delete(used);
    if (names === undefined) return false;
    const keys = names === 'all' ? [...listed()] : names.map(keyOf);
    seenAt = new Map([...keys.map((key) => [key, at] as const), ...used]);
    return true;
  }

  return {
    refresh,
    has: (model: string): boolean => seenAt.has(model),
    /** Whether the model was there within the last second. */
    isSeen: (model: string): boolean => now() - (seenAt.get(model) ?? -Infinity) < BELIEVED_MS,
    /** Asks the server whether the model is there; one that does not say within a second does not count as having it. */
    async isStillThere(model: string): Promise<boolean> {
      asking ??= refresh(AbortSignal.timeout(BELIEVED_MS)).finally(() => (asking = undefined));
      if (!(await asking)) seenAt.delete(model); // it may be loading or unloading
      return seenAt.has(model);
    },
    /** The server has just worked with the model, so it is there. */
    markUsed(model: string): void {
      for (const known of [seenAt, ...usedMeanwhile]) known.set(model, now());
    },
    remove(model: string): void {
      for (const known of [seenAt, ...usedMeanwhile]) known.delete(model);
    },
    clear: (): void => void (seenAt = new Map()),
  };
}

/** The models of a server by key, without cloud and remote models and invalid names. Details are asked for only when a model is new or changed. */
async function listModels(
  provider: Provider,
  known: ReadonlyMap<string, Model>,
  timeout: () => AbortSignal,
): Promise<ReadonlyMap<string, Model>> {
  const found = (await provider.list(timeout())).filter(({ name, isRemote }) => isModelName(name) && !isCloud(name) && !isRemote);
  const asking = semaphore(SHOWN_AT_ONCE);
  const models = found.map(async (listed): Promise<readonly [string, Model]> => {
    const key = keyOf(listed.name);
    const before = known.get(key);
    const isUnchanged = before?.digest === listed.digest && before.capabilities;
    return [key, isUnchanged ? before : { ...listed, ...(await asking(() => provider.show(listed, timeout()))) }];
  });
  return new Map(await Promise.all(models));
}
