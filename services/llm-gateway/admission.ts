import type { Data } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/games/refusal.ts';
import { limits } from './limits.ts';
import { isCloud, isModelName, keyOf } from './model-name.ts';
import type { GatewayOptions } from './options.ts';
import { plain } from './plain.ts';
import { type Check, checks } from './schema.ts';
import type { Servers } from './servers.ts';

type Asked = Data<'llm.complete'>;

/** Who is let in to the waiting line. */
export interface Admission {
  /** What an answer will have to meet. @throws Refusal unreadable */
  read(asked: Asked): Check | undefined;
  /** Why a completion is not let in at `at`; what is refused here was sent to no server. Only who is let in counts for the limit of its agent. */
  refusal(asked: Asked, at: number, deadline: number): Refusal | undefined;
}

export function admission(servers: Servers, options: GatewayOptions): Admission {
  const checkOf = checks();
  const rate = limits({ perMinute: options.agentRpm, burst: options.agentBurst });

  function badModel(model: string | undefined): Refusal | undefined {
    const asked = model ?? options.model;
    if (asked !== undefined) {
      const named = plain(asked, 100);
      if (!isModelName(asked)) return new Refusal('no-server', `"${named}" is no name of a model; there is: ${servers.report()}`);
      if (isCloud(asked))
        return new Refusal('no-server', `${named} runs in a cloud, not on a server of ours; there is: ${servers.report()}`);
      if (servers.all.some((one) => one.mayHave(keyOf(asked)))) return undefined;
      return new Refusal('no-server', `no server has ${named}; there is: ${servers.report()}`);
    }
    if (servers.usual() !== undefined || servers.all.some(({ isUp }) => !isUp)) return undefined;
    return new Refusal('no-server', `no server has a model that can chat; there is: ${servers.report()}`);
  }

  return {
    read: ({ format }) => (format === undefined ? undefined : checkOf(format)),
    refusal({ agent, model }, at, deadline) {
      if (at >= deadline) return new Refusal('late', `it came ${at - deadline} ms after its deadline`);
      const bad = badModel(model);
      if (bad) return bad;
      const waitMs = rate.admit(agent, at);
      if (waitMs === 0) return undefined;
      return new Refusal(
        'limited',
        `an agent may ask ${options.agentRpm} times a minute, ${options.agentBurst} at once; ask again in ${waitMs} ms`,
      );
    },
  };
}
