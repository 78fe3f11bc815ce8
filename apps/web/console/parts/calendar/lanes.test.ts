import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeBlocks } from './lanes.ts'

const place = (...times: [start: number, end: number][]) =>
  placeBlocks(times.map(([start, end]) => ({ item: start, start, end }))).map(({ lane, lanes }) => [lane, lanes])

test('visits that follow each other have the whole width', () => {
  assert.deepEqual(place([540, 590], [590, 640], [700, 750]), [
    [0, 1],
    [0, 1],
    [0, 1],
  ])
})

test('visits at the same time are beside each other, and a free lane is used again', () => {
  assert.deepEqual(place([540, 600], [540, 600], [570, 630], [600, 660]), [
    [0, 3],
    [1, 3],
    [2, 3],
    [0, 3],
  ])
})

test('a group of overlapping visits does not narrow the others', () => {
  assert.deepEqual(place([480, 540], [540, 600], [550, 610]), [
    [0, 1],
    [0, 2],
    [1, 2],
  ])
})

test('a day without visits has no blocks', () => {
  assert.deepEqual(place(), [])
})
