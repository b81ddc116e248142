import { z } from 'zod';

/** A span as Jaeger's API has it. Ids are hex. */
const Span = z.object({
  traceID: z.string(),
  spanID: z.string(),
  operationName: z.string(),
  references: z.array(z.object({ refType: z.enum(['CHILD_OF', 'FOLLOWS_FROM']), traceID: z.string(), spanID: z.string() })),
  tags: z.array(z.object({ key: z.string(), value: z.unknown() })),
  processID: z.string(),
});
const Trace = z.object({
  traceID: z.string(),
  spans: z.array(Span),
  processes: z.record(z.string(), z.object({ serviceName: z.string() })),
});
const Traces = z.object({ data: z.array(Trace) });
const Graph = z.object({ data: z.array(z.object({ parent: z.string(), child: z.string() })) });

export type JaegerTrace = z.infer<typeof Trace>;

/** All of them: a game has some hundred. */
const LIMIT = 20_000;

/** Every trace that Jaeger has, by its id. */
export async function allTraces(url: string): Promise<ReadonlyMap<string, JaegerTrace>> {
  const services = z.object({ data: z.array(z.string()).nullable() }).parse(await get(`${url}/api/services`)).data ?? [];
  const found = new Map<string, JaegerTrace>();
  for (const service of services) {
    const times = `start=${(Date.now() - 3_600_000) * 1_000}&end=${(Date.now() + 60_000) * 1_000}`;
    const { data } = Traces.parse(await get(`${url}/api/traces?service=${service}&limit=${LIMIT}&${times}`));
    for (const trace of data) found.set(trace.traceID, trace);
  }
  return found;
}

/** The arrows of the service graph: `player to llm-gateway`. */
export async function serviceGraph(url: string): Promise<readonly string[]> {
  const { data } = Graph.parse(await get(`${url}/api/dependencies?endTs=${Date.now() + 60_000}&lookback=3600000`));
  return data.map(({ parent, child }) => `${parent} to ${child}`);
}

export const servicesOf = ({ processes }: JaegerTrace): ReadonlySet<string> =>
  new Set(Object.values(processes).map(({ serviceName }) => serviceName));

async function get(address: string): Promise<unknown> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return response.json();
}
