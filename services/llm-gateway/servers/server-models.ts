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

/** The models of a server and which of them are in its memory. They go by `keyOf` their name. */
export function serverModels(provider: Provider) {
  let models: ReadonlyMap<string, Model> = new Map();
  /** What is asked of them in every request. */
  let firstChat: string | undefined;
  let singleSlot = new Set<string>();
  let isListed = false;
  let resident = new Set<string>();
  /** Models used while the server was asked what is in its memory. */
  let usedMeanwhile = new Set<string>();

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
    isResident: (model: string): boolean => resident.has(model),
    /** The server has just worked with the model, so it is in its memory. */
    markUsed(model: string): void {
      resident.add(model);
      usedMeanwhile.add(model);
    },
    /** The server says that it does not have the model after all. */
    remove(model: string): void {
      setModels(new Map([...models].filter(([key]) => key !== model)));
      resident.delete(model);
      usedMeanwhile.delete(model);
    },
    /** Lists them anew. @throws what the provider throws when there is no list */
    async refresh(timeout: () => AbortSignal): Promise<void> {
      setModels(await listModels(provider, models, timeout));
      isListed = true;
    },
    /** Reads what is in memory; keeps what is known when the server does not say. */
    async refreshResident(timeout: () => AbortSignal): Promise<void> {
      usedMeanwhile = new Set();
      const names = await provider.resident(timeout()).catch(() => undefined);
      if (names === 'all') resident = new Set(models.keys());
      else if (names !== undefined) resident = new Set([...names.map(keyOf), ...usedMeanwhile]);
    },
    clearResident: (): void => void (resident = new Set()),
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
