import { parseDataset } from '@maw/lab/training/dataset/dataset.ts';
import { fetchEmbeddings } from '@maw/lab/training/dataset/embeddings.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import type { CliConfig } from '../config.ts';
import { embedAt } from '@maw/lab/training/experience/embed.ts';
import { ollamaUrl } from '@maw/llm-gateway/discovery/find-models.ts';
import { say } from '../output.ts';
import { createProgress } from '../progress.ts';
import { readDatasetFile } from './dataset.ts';

interface EmbedOptions {
  readonly model: string;
  readonly at?: string;
  readonly key?: string;
}

/** The model of the simulator that embeds. */
const SIMULATED = 'simulated-embed';

/**
 * `maw dataset embed`. Returns the exit code: 130 when it was stopped; run again, it goes on.
 * @throws Error when the dataset or what has been fetched is wrong, or the model does not answer
 */
export async function embedDataset(
  file: string,
  { model: wanted, ...given }: EmbedOptions,
  { ollamaHost, gatewayAt, gatewayKey }: Pick<CliConfig, 'ollamaHost' | 'gatewayAt' | 'gatewayKey'>,
  signal: AbortSignal,
): Promise<number> {
  const { at = gatewayAt, key = gatewayKey } = given;
  const dataset = parseDataset(readDatasetFile(file), file);
  const simulator = wanted === 'sim' ? await startSimulator() : undefined;
  const model = simulator ? SIMULATED : wanted;
  const bar = createProgress(process.stderr, dataset.choices.length);
  try {
    const server = simulator?.url ?? at;
    // The key is a gateway's: neither the simulator nor the Ollama of OLLAMA_HOST shall get it.
    const embed = embedAt(server ?? ollamaUrl(ollamaHost), model, simulator || at === undefined ? undefined : key, '--at');
    const { texts, known, dimension, isDone } = await fetchEmbeddings({ file, dataset, model, embed, signal, onProgress: bar.at });
    bar.end();
    if (!isDone) {
      process.stderr.write(`interrupted; run the same command again to go on\n`);
      return 130;
    }
    say(`${file}: ${texts} texts have an embedding by ${model}, ${known} had one before. Train with --encoder embed:${model}:${dimension}`);
    return 0;
  } finally {
    bar.end();
    await simulator?.close();
  }
}
