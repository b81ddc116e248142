import type { Bus } from '@maw/bus/bus.ts';
import { type LlmGateway, llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { Models } from './models.ts';

type Deps = Parameters<typeof llmGateway>[0];

export interface InProcessGatewayOptions extends Pick<Deps, 'http' | 'recordings' | 'budgetUsage' | 'llmUsage' | 'gatewayKeys'> {
  readonly bus: Bus;
  readonly log: Log;
  readonly models: Models;
  /** Records the requests to the models under a name, or answers them from such a recording. */
  readonly recording?: { readonly record: 'record' | 'replay'; readonly recording: string } | undefined;
}

/** Starts the gateway to the models that play, and the simulator behind it where that was asked for. */
export async function startGateway({
  models,
  recording,
  ...deps
}: InProcessGatewayOptions): Promise<Pick<LlmGateway, 'httpUrl' | 'close'>> {
  const simulator = models.sim && (await startSimulator({ ...models.sim }));
  const gateway = await llmGateway({
    ...deps,
    now: Date.now,
    options: { ...gatewayOptions(models, simulator?.url), ...recording },
  }).catch(async (error: unknown) => {
    await simulator?.close();
    throw error;
  });
  return {
    httpUrl: gateway.httpUrl,
    async close() {
      await gateway.close();
      await simulator?.close();
    },
  };
}

/** The rate limits are out of reach: each seat is an agent of its own, and these tables are fast. */
const gatewayOptions = ({ servers, model, sim: { slots = 4 } = {} }: Models, url: string | undefined) => ({
  servers: url === undefined ? servers : [{ url, name: new URL(url).host, authorization: undefined, slots }],
  agentRpm: 600,
  agentBurst: 100,
  ...(model === undefined ? {} : { model }),
});
