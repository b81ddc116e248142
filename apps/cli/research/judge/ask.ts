import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Item } from '@maw/lab/judging/item.ts';
import { verdictOf } from '@maw/lab/judging/verdicts.ts';
import { fillPrompt, parsePrompt } from '@maw/minds/prompts/prompt-file.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { readTextFile } from '@maw/text/text-file.ts';
import { startSeatModels } from '../../clients/seat-models.ts';
import type { CliConfig } from '../../config.ts';
import { chooseModels, type ModelOptions, requireModel } from '../../models.ts';
import { aside, counted } from '../../output.ts';
import { withProgress } from '../../progress.ts';
import { addVerdicts, openSheets } from './sheets.ts';

interface AskOptions extends ModelOptions {
  /** A file. */
  readonly prompt?: string;
}

const PROMPT = fileURLToPath(import.meta.resolve('@maw/lab/judging/judge.md'));
/** The longest that an answer is waited for, in milliseconds. */
const MAX_ANSWER_MS = 180_000;

/**
 * `maw judge ask`: has a model judge the items that it has not judged with this prompt. Each judgement is kept at once.
 * @returns the exit code: 1 when a reply was no answer, 130 when it was interrupted
 * @throws Error when no model can be asked
 */
export async function askJudge(folder: string, options: AskOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const { items, judges } = await openSheets(folder);
  const file = options.prompt ?? PROMPT;
  const text = readTextFile(file);
  const prompt = parsePrompt(file, text, readTextFile);
  const models = await chooseModels(config.all, options, undefined);
  requireModel(models, 'judge ask');
  const version = `${basename(file)}@${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
  const by = { judge: models.model ?? 'the simulator', kind: 'model', version } as const;
  const done = judges.find((each) => each.kind === 'model' && each.judge === by.judge && each.version === version)?.answers;
  const left = items.filter(({ item }) => !done?.has(item));
  const gateway = await startSeatModels(models);
  const tools = gateway.toolsFor({ table: 'judge', seat: 0, recipe: 'judge', calls: 1, callMs: MAX_ANSWER_MS, signal });
  let judged = 0;
  try {
    await withProgress(left.length, async (at) => {
      for (const [i, item] of left.entries()) {
        const messages = fillPrompt(prompt, (hole) => holesOf(item)[hole]);
        const given = models.model === undefined ? {} : { model: models.model };
        const { content } = await tools.complete({ messages, temperature: 0, format: formOf(item), ...given });
        const label = labelIn(content);
        if (item.shown.labels.includes(label)) {
          judged++;
          await addVerdicts(folder, [verdictOf(item, label, { ...by, at: Date.now() })]);
        }
        at(i + 1);
      }
    });
  } catch (error) {
    if (signal.aborted) {
      aside(`maw: interrupted after ${counted(judged, 'judgement')}, which are kept; the same command goes on`);
      return 130;
    }
    throw new Error(`after ${counted(judged, 'judgement')}: ${sanitizeText((error as Error).message)}; the same command goes on`, {
      cause: error,
    });
  } finally {
    await gateway.close();
  }
  const unfit = left.length - judged;
  aside(`maw: ${counted(judged, 'item')} judged by ${by.judge}, ${version}${unfit ? `; ${unfit} replies were no answer` : ''}`);
  return unfit ? 1 : 0;
}

const holesOf = ({ shown: { before, labels, toward = '', ...rest } }: Item): Readonly<Record<string, string>> => ({
  ...rest,
  toward,
  before: before.join('\n'),
  labels: labels.join(', '),
});

const formOf = ({ shown: { labels } }: Item) => ({
  type: 'object',
  properties: { label: { enum: labels } },
  required: ['label'],
  additionalProperties: false,
});

/** The answer in a reply; empty when there is none. */
function labelIn(content: string): string {
  try {
    const { label } = JSON.parse(content) as { readonly label?: unknown };
    return typeof label === 'string' ? label : '';
  } catch {
    return '';
  }
}
