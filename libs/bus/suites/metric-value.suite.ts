/** The sum of a counter over everything that has these labels. */
export async function metricValue(
  metric: { get(): Promise<{ values: readonly { value: number; labels: Partial<Record<string, string | number>> }[] }> },
  labels: Readonly<Record<string, string>>,
): Promise<number> {
  const { values } = await metric.get();
  const fitting = values.filter((one) => Object.entries(labels).every(([name, value]) => one.labels[name] === value));
  return fitting.reduce((sum, { value }) => sum + value, 0);
}
