// Asks the real Grafana, Prometheus, Tempo and Loki of the profile `observability` what the boards ask: after `docker compose up -d` with
// COMPOSE_PROFILES=sim,observability and a game. Ends with 1 and what is missing. The password of Grafana is in GRAFANA_PASSWORD.
const GRAFANA = `http://127.0.0.1:${process.env.GRAFANA_HOST_PORT ?? '3000'}`;
const PASSWORD = process.env.GRAFANA_PASSWORD ?? '';
const PATIENCE_MS = 300_000;
const headers = { 'authorization': `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`, 'content-type': 'application/json' };

/** What an address of Grafana answers. @throws Error with its status */
async function ask(path, body) {
  const response = await fetch(GRAFANA + path, { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return response.json();
}

const through = (uid) => `/api/datasources/proxy/uid/${uid}`;
const now = () => Math.floor(Date.now() / 1000);

/** By what is looked for: whether it is there. Each is asked again until it is. */
const checks = {
  'six boards in the folder MAW': async () =>
    (await ask('/api/search?type=dash-db')).filter(({ folderTitle }) => folderTitle === 'MAW').length >= 6,
  'alert rules that Prometheus has loaded': async () =>
    (await ask(`${through('prometheus')}/api/v1/rules`)).data.groups.some(({ rules }) => rules.length > 10),
  'every service scraped': async () => {
    const { data } = await ask(`${through('prometheus')}/api/v1/query?query=${encodeURIComponent('count(maw_bus_up == 1)')}`);
    return Number(data.result[0]?.value[1] ?? 0) >= 6;
  },
  'traces of acts in Tempo': async () => {
    const query = encodeURIComponent('{ resource.service.name = "gamemaster" }');
    return (await ask(`${through('tempo')}/api/search?q=${query}&start=${now() - 3600}&end=${now()}`)).traces?.length > 0;
  },
  'log lines with a trace in Loki': async () => {
    const query = encodeURIComponent('{service_name="gamemaster"} | trace_id != ""');
    const { data } = await ask(`${through('loki')}/loki/api/v1/query_range?query=${query}&start=${now() - 3600}000000000&limit=1`);
    return data.result.length > 0;
  },
  'every query of every board': async () => {
    const boards = (await ask('/api/search?type=dash-db')).filter(({ folderTitle }) => folderTitle === 'MAW');
    for (const { uid } of boards) await askPanels((await ask(`/api/dashboards/uid/${uid}`)).dashboard);
    return true;
  },
};

/** Sends the queries of a board as Grafana does. @throws Error with the board and panel that fails */
async function askPanels({ title: board, panels }) {
  for (const { title, targets = [], datasource } of panels.flatMap((panel) => [panel, ...(panel.panels ?? [])])) {
    const queries = targets.map((target, i) => ({
      refId: `Q${i}`,
      ...target,
      datasource: target.datasource ?? datasource,
      intervalMs: 15_000,
      maxDataPoints: 100,
    }));
    if (!queries.length) continue;
    // Variables have no value outside of a page: any table and service will do for a valid query.
    const body = JSON.parse(
      JSON.stringify({ queries, from: 'now-1h', to: 'now' }).replace(/\$\{?(__\w+|\w+)(:\w+)?\}?/g, (all, name) =>
        name.startsWith('__') ? all : '.*',
      ),
    );
    const { results } = await ask('/api/ds/query', body);
    for (const { error, status } of Object.values(results)) if (error) throw new Error(`${board}, ${title}: ${status} ${error}`);
  }
}

const end = Date.now() + PATIENCE_MS;
for (const [what, isThere] of Object.entries(checks)) {
  let why = 'not there';
  const tried = async () => isThere().catch((error) => void (why = error.message));
  while (!(await tried())) {
    if (Date.now() > end) {
      process.stderr.write(`verify-observability: ${what}: ${why}\n`);
      process.exit(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
  process.stdout.write(`verify-observability: ${what}\n`);
}
