import { agentLeaks } from './aiwolf/agent-leaks.ts';
import { agents } from './aiwolf/aiwolf.ts';
import type { Benchmark } from './benchmark.ts';
import { chaos } from './chaos.ts';
import { consolePage } from './console/console-page.ts';
import { experience } from './experience.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { contests } from './games/contests.ts';
import { conversation } from './games/conversation.ts';
import { experiments } from './games/experiments.ts';
import { simulate } from './games/simulate.ts';
import { strength } from './games/strength.ts';
import { gatewayFairness } from './gateway/fairness.ts';
import { gatewayLatency } from './gateway/latency.ts';
import { gatewayLeaks } from './gateway/memory-leaks.ts';
import { gatewayLoad } from './gateway/load.ts';
import { gatewaySimulation } from './gateway/queue-policies.ts';
import { laws } from './laws/laws.ts';
import { guesses } from './guesses.ts';
import { learning } from './learning.ts';
import { leaks } from './leaks.ts';
import { minds } from './minds/minds.ts';
import { missedChoices } from './missed-choices/missed-choices.ts';
import { person } from './person.ts';
import { recovery } from './recovery/recovery.ts';
import { scale } from './scale/scale.ts';
import { schedules } from './schedules.ts';
import { busThroughput } from './scale/bus-throughput.ts';
import { decisionLatency } from './system/decision-latency.ts';
import { games } from './system/games.ts';
import { messageCount } from './system/message-count.ts';
import { pulseCost } from './system/pulse-cost.ts';
import { tapeThroughput } from './system/tape-throughput.ts';
import { tracingCost } from './system/tracing-cost.ts';
import { httpFuzz } from './web/http-fuzz.ts';
import { watching } from './web/watching.ts';

/** Every benchmark, in the order in which they are listed and run. */
export const benchmarks: readonly Benchmark[] = [
  messageCount,
  decisionLatency,
  games,
  busThroughput,
  tapeThroughput,
  experience,
  learning,
  pulseCost,
  gatewayLatency,
  gatewayLoad,
  gatewayLeaks,
  strength,
  conversation,
  simulate,
  contests,
  experiments,
  minds,
  chaos,
  laws,
  schedules,
  scale,
  recovery,
  missedChoices,
  person,
  tracingCost,
  fuzz,
  httpFuzz,
  leaks,
  guesses,
  gatewaySimulation,
  gatewayFairness,
  watching,
  agents,
  agentLeaks,
  consolePage,
];
