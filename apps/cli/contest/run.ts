import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { playOf, asksModel } from '@maw/lab/contests/agent-recipe.ts';
import { type Contest, contestIdOf } from '@maw/lab/contests/definition.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { isSystemRunning, writeConnectionFile } from '../clients/connection-file.ts';
import { AWAY_MS, type WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { connectToWeb } from '../connect.ts';
import { startInProcessSystem } from '../in-process-system.ts';
import { chooseModels, type ModelOptions, type Models, requireModel } from '../models.ts';
import { aside } from '../output.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { type AgentServerOptions, type OutsideAgents, outsideAgents } from './agent-servers.ts';
import { createLiveTable, type LiveTable, type Summary } from './live-table.ts';
import { idleText } from '@maw/lab/contests/report/report.ts';
import { type Overrides, readContestFile } from '@maw/lab/contests/read-file.ts';
import { type PowerOptions, wantedOf, withPower } from './power.ts';
import { readBeside, reportAt, type ReportCommandOptions } from './report.ts';

type RunOptions = ReportCommandOptions & Overrides & PowerOptions & AgentServerOptions & Pick<ModelOptions, 'server' | 'keyFile'>;

/** How often it is looked how far a contest is, in milliseconds. */
const LOOK_MS = 300;
/** The longest wait of Algorithm 1 at tables of a contest, in milliseconds. */
const MAX_WAIT_MS = 3_000;

/**
 * `maw contest run`: plays a contest to its end, and reports it.
 * @returns the exit code: 130 when it was interrupted, 1 when it failed
 * @throws Error naming what is wrong with the file, or why a changed contest cannot go on
 */
export async function runContest(file: string, options: RunOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const isRemote = (options.at ?? config.at) !== undefined || (await isSystemRunning(options.data));
  const isSimulated = options.model === 'sim';
  if (isSimulated && options.maxCost !== undefined)
    throw new Error('--max-cost: the simulator costs nothing; leave it out, or name a model with --model');
  const overrides = isSimulated ? { ...options, model: undefined } : options;
  const { contest, recipes } = await readContestFile(file, overrides, !isRemote);
  // Before hours of games, not after them.
  const { published } = await readBeside(contest, options);
  const wanted = wantedOf(contest, published, options);
  if (options.out !== undefined) await prepareFolder(options.out, '--out');
  const idle = idleText(contest);
  if (idle !== undefined) aside(`maw: ${idle}`);
  const plan = (web: WebClient, given: Contest): Promise<Contest> | Contest =>
    options.power === undefined
      ? given
      : withPower(web, given, {
          wanted,
          power: options.power,
          isArena: playOf(given, recipes) === 'arena',
          asksModels: given.agents.some((agent) => asksModel(agent, recipes)),
        });
  if (!isRemote) return runInProcess(isSimulated ? withoutModels(contest) : contest, recipes, options, config, signal, plan);
  if (isSimulated) throw new Error('--model sim needs a contest in this process; a running system plays with the models that it has');
  const { web } = await connectToWeb(options, config);
  const code = await runAt(web, await plan(web, contest), options, signal);
  if (code === 130) aside(`The contest goes on at ${web.at}. Watch it with the same command, or stop it with ./maw contest stop ${contestIdOf(contest.name)}`); // prettier-ignore
  return code;
}

/** All agents get the one model there is, which costs nothing. */
const withoutModels = ({ stopping: { maxCost: _, ...stopping }, ...contest }: Contest): Contest => ({
  ...contest,
  stopping,
  agents: contest.agents.map(({ model: __, ...agent }) => agent),
});

/** Plays a contest in this process, and reports it. @returns as `runContest` */
export async function runInProcess(
  contest: Contest,
  recipes: readonly Recipe[],
  options: RunOptions,
  config: CliConfig,
  signal: AbortSignal,
  plan: (web: WebClient, contest: Contest) => Promise<Contest> | Contest = (_, given) => given,
): Promise<number> {
  const models = playOf(contest, recipes) === 'arena' ? undefined : await modelsFor(contest, options, config);
  const asking = contest.agents.find((agent) => asksModel(agent, recipes));
  if (models && asking) {
    requireModel(models, `the agent ${asking.name}`);
    aside(models.says);
  }
  const outside = outsideAgents(contest, options);
  await prepareFolder(options.data, '--data');
  const live = createLiveTable(process.stderr);
  const tell = (text: string): void => {
    live.end(); // it is drawn anew below the line
    aside(text);
  };
  const system = await startInProcessSystem({
    folder: join(options.data, 'tables'),
    port: 0,
    models,
    contests: 'played',
    aiwolf: outside,
    recipes,
    tell,
    maxWaitMs: MAX_WAIT_MS,
    logLevel: 'error',
    otlp: config.otlp,
  });
  const file = await writeConnectionFile(options.data, { url: system.web.at, token: system.adminToken });
  try {
    if (outside)
      aside(`Outside agents connect to ${system.aiwolf!.servers.map(({ url }) => url).join(' and ')}: ${outside.names.join(', ')}`);
    for (const { outside: name } of contest.agents.filter(({ over }) => over))
      aside(
        `A program connects to ${system.web.at}; its key: ./maw tokens make --role agent --name ${name} --data ${options.data} --shell`,
      );
    const code = await runAt(system.web, await plan(system.web, contest), options, signal, { outside, live });
    if (code === 130) aside('Interrupted. Nothing is lost: the same command goes on.');
    return code;
  } finally {
    await file.remove();
    await system.close();
  }
}

/** The model that is asked for, or the first that an agent names. */
function modelsFor({ agents, seed }: Contest, { model, server, keyFile }: RunOptions, config: CliConfig): Promise<Models> {
  const named = model ?? agents.find((agent) => agent.model !== undefined)?.model;
  return chooseModels(config.all, { model: named, server, keyFile }, seed?.length);
}

/** Where progress is shown, and who is waited for. */
interface Shown {
  readonly outside?: OutsideAgents | undefined;
  readonly live?: LiveTable;
}

/** Opens a contest, watches it to its end, and reports it. */
async function runAt(web: WebClient, contest: Contest, options: RunOptions, signal: AbortSignal, shown: Shown = {}): Promise<number> {
  const id = contestIdOf(contest.name);
  await web.api.post('/contests', {}, { id, contest: { ...contest } }, { forMs: AWAY_MS });
  const end = await watch(web, id, signal, shown);
  if (!end) return 130;
  await reportAt(web, id, options, shown.live ? undefined : web.at); // a page of this process ends with it
  if (end.state === 'failed') aside(`maw: the contest has failed: ${end.why ?? 'nobody knows why'}`);
  return end.state === 'failed' ? 1 : 0;
}

/**
 * Shows a contest until it is over. Undefined when it was interrupted.
 * @throws ApiProblem when the system refuses, or does not answer for a minute
 */
async function watch(web: WebClient, id: string, signal: AbortSignal, shown: Shown): Promise<Summary | undefined> {
  const { outside, live = createLiveTable(process.stderr) } = shown;
  let isAway = false;
  const noteAway = (): void => {
    if (!isAway) aside(`${web.at} does not answer just now; the contest goes on there. Trying again ...`);
    isAway = true;
  };
  try {
    for (; !signal.aborted; await delay(LOOK_MS, undefined, { signal }).catch(() => undefined)) {
      const view = await web.contest(id, { signal, forMs: AWAY_MS, onFailure: noteAway });
      isAway = false;
      live.show(view, outside?.missing());
      if (view.summary.state !== 'running' && view.summary.state !== 'stopping') return view.summary;
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    live.end();
  }
}
