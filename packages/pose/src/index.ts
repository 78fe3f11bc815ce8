export * from './codec.ts'
