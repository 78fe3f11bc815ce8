import { findChromium } from '@tendon/testing/programs'

/** Why browser tests are skipped; false when they run. BROWSER_TESTS=required makes a missing browser a failure. */
export const SKIPPED: string | false =
  findChromium() !== undefined || process.env.BROWSER_TESTS === 'required'
    ? false
    : 'no Chromium on this machine (Debian and Ubuntu: apt-get install chromium; or set CHROMIUM_PATH)'
