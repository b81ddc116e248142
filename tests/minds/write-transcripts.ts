import { catalogue } from '@maw/games/catalogue.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { storeTranscript, transcriptOf } from './transcript.ts';

/** `node tests/minds/write-transcripts.ts [RECIPE...]`: writes what recipes send, one file per recipe and rule set. Read them. */
const wanted = process.argv.slice(2);
for (const recipe of recipes.filter(({ name, usesModel }) => usesModel && (!wanted.length || wanted.includes(name))))
  for (const { name } of catalogue) storeTranscript(recipe.name, name, await transcriptOf(recipe, name));
