import { readConfig } from './config.ts';
import { startSimulator } from './simulator.ts';

const simulator = await startSimulator(readConfig()).catch((error: unknown) => {
  process.stderr.write(`ollama-sim: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
process.stdout.write(`ollama-sim: a simulation, without a model, answers at ${simulator.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.close());
