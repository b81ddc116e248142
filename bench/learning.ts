import { splitByDeal, transitionsOf } from '@maw/lab/training/dataset/transitions.ts';
import { BEHAVIOURS, observe, recordTalk3, type Talk3Games } from './learning/talk-3-games.ts';
import { beginnings, type Listener, type Talk3Policy, valueOf } from './learning/talk-3.ts';
import { encoderNamed } from '@maw/learning/encoders/encoder-named.ts';
import { sparseRows } from '@maw/learning/network/sparse-rows.ts';
import { TrainingConfig } from '@maw/lab/training/config.ts';
import { evaluateOnHeldOut, greedyTactics } from '@maw/lab/training/evaluation.ts';
import { type Candidate, chooseCandidate, recordedReturn } from '@maw/lab/training/sweep.ts';
import { createTrainer, createTrainingState, headOf, type Task } from '@maw/lab/training/trainer.ts';
import { benchmark, type BenchmarkContext } from './benchmark.ts';
import { flag, integer, names } from './options.ts';
import { latencyTable, policyLatencies } from './learning/policy-latency.ts';

/** How the games were recorded; `babbling`: like `expert-mix`, before listeners who do not listen. */
const DATA = [...BEHAVIOURS, 'babbling'] as const;
type Data = (typeof DATA)[number];
const RHOS = [0, 0.1, 0.3, 1, 4] as const;

interface Trained extends Candidate {
  /** What it is worth in Talk-3, exactly. */
  readonly worth: number;
  readonly agreement: number;
}

interface Sweep {
  readonly data: Data;
  readonly seed: number;
  readonly policies: readonly Trained[];
  readonly chosen: Trained;
  readonly isBetter: boolean;
}

/** What policies learnt from recorded games of Talk-3 are worth, by data and rho, and what fitted Q evaluation chooses. */
export const learning = benchmark({
  name: 'learning',
  description: 'what tactics learnt from games of Talk-3 are worth, by data and rho, and how long a policy takes to choose one',
  options: {
    data: names('how the games were recorded; all by default', DATA),
    seeds: integer('how many seeds of data and weights', { fallback: 5 }),
    games: integer('recorded games per seed', { fallback: 600, min: 50 }),
    everyStep: flag('reward each choice instead of the last one'),
  },
  async measure({ data: given, seeds, games, everyStep }, context) {
    const sweeps: Sweep[] = [];
    const began = process.cpuUsage();
    for (const data of DATA.filter((each) => given?.includes(each) ?? true))
      for (let seed = 1; seed <= seeds && !context.signal.aborted; seed++)
        sweeps.push(await sweep({ data, seed, games, reward: everyStep ? 'every-step' : 'end' }, context));
    const { user } = process.cpuUsage(began);
    const latencies = await policyLatencies(context.signal);
    const text = `${tableOf(sweeps)}\n\n${(user / 1e6).toFixed(0)} s of processor time.\n\n${latencyTable(latencies)}`;
    return { text, json: [...sweeps, ...latencies] };
  },
});

type Recorded = Pick<Sweep, 'data' | 'seed'> & Required<Pick<Talk3Games, 'games' | 'reward'>>;

async function sweep({ data, seed, games, reward }: Recorded, context: BenchmarkContext): Promise<Sweep> {
  const listeners: readonly Listener[] | undefined = data === 'babbling' ? ['babbling'] : undefined;
  const recorded: Talk3Games = { games, behaviour: data === 'babbling' ? 'expert-mix' : data, seed: String(seed), reward };
  const dataset = recordTalk3({ ...recorded, ...(listeners ? { listeners } : {}) });
  const config = TrainingConfig.parse({ seed: String(seed) });
  const encoder = encoderNamed(config.encoder);
  const { train, heldOut } = splitByDeal(dataset);
  const [own, unseen] = [train, heldOut].map((choices) => transitionsOf(dataset, choices, encoder)) as [Task['data'], Task['data']];
  const from = beginnings(listeners);
  let cloned: Int32Array | undefined;
  const policies: Trained[] = [];
  for (const rho of ['cloning', ...RHOS] as const) {
    await new Promise(setImmediate); // an interruption is noticed between trainings
    const task: Task = {
      config: { ...config, ...(rho === 'cloning' ? { method: 'cloning' as const } : { rho }) },
      data: own,
      tactics: dataset.tactics.length,
    };
    const { critics } = trained(task);
    const head = headOf(task);
    const tactics = greedyTactics(critics, unseen, head);
    const clones = (cloned ??= tactics);
    const policy: Talk3Policy = (state) =>
      greedyTactics(critics, { states: sparseRows([encoder.encode(observe(state))], encoder.dimension) }, head)[0]!;
    policies.push({
      rho,
      worth: valueOf(policy, from),
      ...evaluateOnHeldOut(task, critics, unseen),
      agreement: tactics.filter((tactic, i) => tactic === clones[i]).length / tactics.length,
    });
  }
  const [clone, ...others] = policies as [Trained, ...Trained[]];
  const { chosen, isBetter } = chooseCandidate(clone, others, recordedReturn(heldOut, config.gamma));
  context.say(`${data}, seed ${seed}: ${policies.map(({ rho, worth, value }) => `${rho} ${worth.toFixed(2)} (${value.toFixed(2)})`).join(', ')}; chosen ${chosen.rho}`); // prettier-ignore
  return { data, seed, policies, chosen, isBetter };
}

function trained(task: Task) {
  const state = createTrainingState(task);
  const step = createTrainer(task, state);
  while (state.step < task.config.steps) step();
  return state;
}

function tableOf(sweeps: readonly Sweep[]): string {
  const rows = [...Map.groupBy(sweeps, ({ data }) => data)].map(([data, own]) => {
    const meanOf = (value: (each: Sweep) => number): string => (own.reduce((sum, each) => sum + value(each), 0) / own.length).toFixed(2);
    const byRho = own[0]!.policies.map((_, i) => meanOf(({ policies }) => policies[i]!.worth));
    const better = `${own.filter(({ isBetter }) => isBetter).length} of ${own.length}`;
    const rhos = own.map(({ chosen }) => chosen.rho).join(', ');
    return [data, ...byRho, meanOf(({ chosen }) => chosen.worth), rhos, better];
  });
  const heads = ['data', 'cloning', ...RHOS.map((rho) => (rho ? `rho ${rho}` : 'rho 0 (DQN)')), 'chosen', 'chosen rho by seed', 'better than the clone']; // prettier-ignore
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
