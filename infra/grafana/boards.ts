import { agentTraffic } from './agent-traffic.ts';
import { type Board, dashboardOf } from './board.ts';
import { brokerAndStore } from './broker-and-store.ts';
import { gateway } from './gateway.ts';
import { oneTable } from './one-table.ts';
import { overview } from './overview.ts';
import { runbooks } from './runbooks.ts';

export const boards: readonly Board[] = [overview, agentTraffic, gateway, oneTable, brokerAndStore, runbooks];

/** The file of every board, by its path from the root: JSON. */
export const boardFiles = (): readonly (readonly [path: string, json: string])[] =>
  boards.map((board) => [`infra/grafana/boards/${board.uid}.json`, JSON.stringify(dashboardOf(board))]);

/** The boards as ConfigMaps, which the Grafana of a cluster takes up by their label: YAML, as kustomize reads it. */
export const boardsKustomization =
  (): string => `# Written from infra/grafana/boards.ts; do not edit. The boards as the Grafana of a cluster finds them (infra/k8s/components/monitoring). One
# ConfigMap for each: an apply notes what it applied in an annotation, which takes 256 KiB and no more.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
generatorOptions:
  disableNameSuffixHash: true
  labels: { grafana_dashboard: '1', app.kubernetes.io/part-of: maw }
  annotations: { grafana_folder: MAW }
configMapGenerator:
${boards.map(({ uid }) => `  - { name: board-${uid}, files: [boards/${uid}.json] }`).join('\n')}
`;
