import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const;

/** The Chromium of this machine; suites in a browser are skipped by name where there is none. */
export const chromiumPath = NAMES.flatMap((name) => (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, name))).find(
  (path) => existsSync(path),
);

/** What to tell people without one. */
export const NO_CHROMIUM =
  'there is no Chromium on the PATH, neither as chromium nor as google-chrome; on Debian: apt-get install chromium fonts-noto-core';

/** Pages of Chromium's own, one per window, which no test looks at: a third of the processor time of a window. */
const UNUSED_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'] as const;

/** What Playwright disables, because Chromium obeys only the last list. */
const DISABLED_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
] as const;

/** Starts a browser without a window. The first start on a machine can take a quarter of a minute. */
export const startChromium = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath!,
    timeout: 120_000,
    args: [`--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...UNUSED_PAGES].join()}`],
    ...options,
  });
