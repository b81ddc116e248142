import { agentLeaks } from './aiwolf/agent-leaks.ts';
import { agents } from './aiwolf/aiwolf.ts';
import type { Benchmark } from './benchmark.ts';
import { chaos } from './chaos.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { contests } from './games/contests.ts';
import { engine } from './engine/engine.ts';
import { experiments } from './games/experiments.ts';
import { nullContests } from './games/null-contests.ts';
import { simulate } from './games/simulate.ts';
import { strength } from './games/strength.ts';
import { gatewayFairness } from './gateway/fairness.ts';
import { gatewayLatency } from './gateway/latency.ts';
import { laws } from './laws/laws.ts';
import { guesses } from './guesses.ts';
import { learning } from './learning.ts';
import { leaks } from './leaks.ts';
import { minds } from './minds/minds.ts';
import { humanGames } from './people/human-games.ts';
import { talkTimes } from './minds/talk-times.ts';
import { missedChoices } from './missed-choices/missed-choices.ts';
import { person } from './person.ts';
import { outages } from './recovery/outages.ts';
import { recovery } from './recovery/recovery.ts';
import { gamemasters } from './scale/gamemasters.ts';
import { scale } from './scale/scale.ts';
import { schedules } from './schedules.ts';
import { decisionLatency } from './system/decision-latency.ts';
import { messageCount } from './system/message-count.ts';

/** Every benchmark, in the order in which they are listed and run. */
export const benchmarks: readonly Benchmark[] = [
  messageCount,
  decisionLatency,
  learning,
  gatewayLatency,
  strength,
  simulate,
  contests,
  experiments,
  nullContests,
  minds,
  talkTimes,
  engine,
  chaos,
  laws,
  schedules,
  scale,
  gamemasters,
  recovery,
  outages,
  missedChoices,
  person,
  humanGames,
  fuzz,
  leaks,
  guesses,
  gatewayFairness,
  agents,
  agentLeaks,
];
