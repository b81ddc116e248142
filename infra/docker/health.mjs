// Ends with 0 when an address answers with a success, else with 1 and why. For health checks: the image has no curl, and needs no shell.
const [, , url] = process.argv;
const why = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  async (response) => (response.ok ? undefined : `${response.status} ${await response.text()}`),
  (error) => String(error.cause?.code ?? error.message),
);
if (why !== undefined) {
  process.stderr.write(`${url}: ${why}\n`);
  process.exitCode = 1;
}
