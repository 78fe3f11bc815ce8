export { createTestDatabase, onServer, prepareTemplate, TEST_ROLE_SECRET, type TestDatabase } from './database.ts'
export { type DnsMood, startDnsServer, type TestDnsServer } from './dns-server.ts'
export { startIssuer, TEST_AUDIENCE, type TestIssuer } from './issuer.ts'
export { randomFrom, soakRuns, soakSeed } from './soak.ts'
