import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { importMafia, NOT_ADJUDICATED } from '@maw/games/records/imported.ts';
import { formatMistake, RecordError } from '@maw/games/records/mistake.ts';
import { openYaml } from '@maw/recipes/yaml-file.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { aside, counted } from '../output.ts';
import { readContents, writeContents } from './record-files.ts';

/**
 * `maw import mafia FILE_OR_FOLDER`: a record of each game, one on a line, in the order of the files. A file that is no such game is named with
 * its lines, and the others are imported. Returns 1 when there was one.
 */
export async function importMafiaGames(path: string, { out }: { readonly out?: string }): Promise<number> {
  const files = await filesAt(path);
  const records: string[] = [];
  for (const file of files) {
    const read = await recordIn(file);
    if (typeof read === 'string') records.push(read);
    else for (const wrong of read.wrong) aside(sanitizeText(`maw: ${wrong}`));
  }
  if (records.length) await writeContents(`${records.join('\n')}\n`, out);
  aside(`maw: ${records.length} of ${counted(files.length, 'game')} ${NOT_ADJUDICATED}`);
  return records.length === files.length ? 0 : 1;
}

/** The JSON files of a folder by name, or the one file. @throws Error when a folder has none */
async function filesAt(path: string): Promise<readonly string[]> {
  const isFolder = path !== '-' && (await stat(path).catch(() => undefined))?.isDirectory();
  if (!isFolder) return [path];
  const files = (await readdir(path)).filter((name) => name.endsWith('.json')).toSorted();
  if (!files.length) throw new Error(`${path}: has no file that ends in .json; name a folder with games of Mafia, or one of them`);
  return files.map((name) => join(path, name));
}

async function recordIn(file: string): Promise<string | { readonly wrong: readonly string[] }> {
  const place = file === '-' ? 'stdin' : file;
  try {
    const text = (await readContents(file)).replace(/^\ufeff/, '');
    try {
      return JSON.stringify(importMafia(JSON.parse(text)));
    } catch (error) {
      if (error instanceof RecordError) return { wrong: error.mistakes.map(placed(place, text)) };
      const { message } = error as Error;
      const line = /line (\d+)/.exec(message)?.[1] ?? text.trimEnd().split('\n').length; // without a line it ends too early
      return { wrong: [`${place}:${line}: is not JSON: ${message}; a game is one whole JSON object, see docs/records.md`] };
    }
  } catch (error) {
    return { wrong: [(error as Error).message] };
  }
}

/** Mistakes with their lines in the file. */
function placed(place: string, text: string): (mistake: RecordError['mistakes'][number]) => string {
  const { at } = openYaml(place, text);
  return ({ where, ...mistake }) => {
    const inFile = where.replace(/^game\.?/, '');
    const path = inFile.split(/[.[\]]+/).filter(Boolean);
    return `${at(path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)))}: ${formatMistake({ where: inFile || 'game', ...mistake })}`;
  };
}
