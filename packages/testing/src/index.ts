export { anyText } from './any-text.ts'
export { badText, badValue, rawJsonBodies } from './bad-input.ts'
export { createTestDatabase, onServer, prepareTemplate, TEST_ROLE_SECRET, type TestDatabase } from './database.ts'
export { type DnsMood, startDnsServer, type TestDnsServer } from './dns-server.ts'
export { atEndOfProcess, endOfProcess } from './end-of-process.ts'
export {
  BUNNY_KEY,
  BUNNY_LIBRARY,
  type BunnySwitches,
  type FakeBunny,
  type FakeVideo,
  startFakeBunny,
} from './fake-bunny.ts'
export { freePort } from './free-port.ts'
export { type HlsPlayer, NO_PLAYER, openHlsPlayer } from './hls-player.ts'
export { harmlessVideo, hostileScripts, hostileVideos, mp4Box } from './hostile-media.ts'
export { startIssuer, TEST_AUDIENCE, type TestIssuer } from './issuer.ts'
export { startMigratedPostgres } from './migrated-postgres.ts'
export { portOf } from './port-of.ts'
export { clockEnv, processEnv } from './process-env.ts'
export { type ProcessFacts, peakUse, processesWith } from './process-use.ts'
export { FFMPEG, findChromium, findProgram, installedBinaries, NO_FFMPEG, NO_REDIS } from './programs.ts'
export {
  assertSettled,
  bytesOf,
  openConnection,
  type RawConnection,
  type RawRequest,
} from './raw-connection.ts'
export {
  assertAnswered,
  assertHeaderTimeout,
  dripHeaders,
  ODD_REQUESTS,
  type RawAnswer,
  sendRaw,
} from './raw-http.ts'
export { type RoundTrips, startRoundTrips } from './round-trips.ts'
export { type SmtpServerOptions, startSmtpServer, type TestSmtpServer } from './smtp-server.ts'
export { pickFrom, randomFrom, soakRuns, soakSeed } from './soak.ts'
export { START_MS } from './start-time.ts'
export { fastFolder, startTemporaryPostgres, type TemporaryPostgres } from './temporary-postgres.ts'
export { testCertificate } from './tls-certificate.ts'
export { until } from './until.ts'
