import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncApi, sampleOf } from './messages/asyncapi.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { messagesPage } from './messages/messages-page.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { telemetryPage } from './telemetry/telemetry-page.ts';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { z } from 'zod';
import { contestSchema } from '@maw/lab/contests/definition.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { alertRules, alertsPage } from '../../infra/prometheus/rule-file.ts';
import { alertResource } from '../../infra/prometheus/rule-resource.ts';
import { boardFiles, boardsKustomization } from '../../infra/grafana/boards.ts';
import { root } from '../equipment/source/repository.ts';
import { configurationPage } from './configuration.ts';
import { insideDiagram, packageDiagram, withBlock } from './dependency-diagram.ts';
import { definitionsFile, grantsFile, rolesFile } from './infra-files.ts';
import { gamePage } from './game-page.ts';
import { withFamilies } from './models-page.ts';
import { recipeSchema } from './recipes/recipe-schema.ts';
import { stepKinds } from '@maw/minds/step-kinds.ts';
import { quoting } from './quoted-file.ts';
import { reasonsPage } from './reasons-page.ts';
import { theoryPage } from './theory-page.ts';

const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every page that is written from the code, by its path from the root. The same text for the same code. */
export async function pages(): Promise<ReadonlyMap<string, string>> {
  const written = new Map([
    ['docs/messages.md', messagesPage(contracts.all, sampleOf(contracts.get('table.act')))],
    ['docs/asyncapi.yaml', stringify(asyncApi(contracts.all, version), { lineWidth: 0, aliasDuplicateObjects: false })],
    ['docs/reasons.md', await tidy(reasonsPage())],
    ['docs/telemetry.md', await tidy(telemetryPage())],
    ['docs/configuration.md', await tidy(configurationPage())],
  ]);
  written.set('recipes/recipe.schema.json', await tidy(JSON.stringify(recipeSchema(stepKinds)), 'json'));
  written.set('experiments/contest.schema.json', await tidy(JSON.stringify(contestSchema()), 'json'));
  for (const [path, text] of [rolesFile(), grantsFile()]) written.set(path, text);
  const [json, definitions] = definitionsFile();
  written.set(json, await tidy(definitions, 'json'));
  for (const [path, text] of boardFiles()) written.set(path, await tidy(text, 'json'));
  written.set('infra/grafana/kustomization.yaml', await tidy(boardsKustomization(), 'yaml'));
  written.set('infra/k8s/components/monitoring/alerts.yaml', await tidy(alertResource(alerts, 'maw'), 'yaml'));
  written.set('infra/prometheus/alerts.yml', await tidy(alertRules(alerts), 'yaml'));
  written.set('docs/alerts.md', await tidy(alertsPage(alerts)));
  const examples = [
    ['docs/games/add-a-game.md', 'tests/example-game/cuckoo.ts'],
    ['docs/minds.md', 'tests/example-mind/two-steps.yaml'],
    ['docs/minds.md', 'tests/example-mind/suspect.ts'],
  ] as const;
  for (const [page, example] of examples) written.set(page, await tidy(quoting(written.get(page) ?? read(page), example, read(example))));
  written.set('docs/architecture.md', await tidy(withDiagrams(read('docs/architecture.md'))));
  written.set('docs/models.md', await tidy(withFamilies(read('docs/models.md'))));
  written.set('docs/games/onuw-theory.md', await tidy(theoryPage()));
  for (const set of catalogue) written.set(`docs/games/${set.name}.md`, await tidy(gamePage(set)));
  return written;
}

const withDiagrams = (page: string): string =>
  withBlock(withBlock(page, 'packages', packageDiagram()), 'inside llm-gateway', insideDiagram('services/llm-gateway'));

/** As the formatter of the repository wants it. */
const tidy = async (text: string, parser: 'markdown' | 'json' | 'yaml' = 'markdown'): Promise<string> => {
  const config = await resolveConfig(join(root, 'docs/index.md'));
  return format(text, { ...config, parser });
};
