import * as played from './behaviours.js';

export const megabytes = (n: number): number => n * 1024 * 1024;
const good = { speaker_id: 0, name: 'A', quote: 'I am A', pattern: 'self_introduction' };
const shape = /^the answer does not have the requested shape$/;
const completion = /^the response is not a chat completion$/;
const broken = /^the connection to the model failed \(ECONNRESET\)$/;
const tokens = /^the response has no usage\.total_tokens$/;

/** The ways in which a scripted model gives no valid answer: its behaviour, the reported reason, and the number of requests. */
export const failures: Record<string, readonly [played.Behaviour, RegExp, number]> = {
  '500': [played.answersStatus(500), /^the response has status 500$/, 1],
  '429': [played.answersStatus(429, { 'retry-after': '0' }), /^the response has status 429$/, 1],
  '401': [played.answersStatus(401), /^the response has status 401$/, 1],
  '204': [played.answersStatus(204), /^the response has status 204$/, 1],
  'a redirect': [played.answersStatus(307, { location: '/v1/chat/completions' }), /^the response has status 307$/, 1],
  'a switch of protocols': [played.answersStatus(101, { connection: 'upgrade', upgrade: 'chat' }), /./, 1],
  'no JSON': [played.answersRaw('<html>busy</html>'), completion, 1],
  'JSON without end': [played.answersRaw('['.repeat(megabytes(1))), completion, 1],
  'not UTF-8': [played.answersRaw(Uint8Array.of(0x22, 0xff, 0x22)), /^the response is not UTF-8$/, 1],
  'an error at status 200': [played.answersBody({ error: { message: 'busy' } }), completion, 1],
  'no choice': [played.answersBody({ choices: [], usage: { total_tokens: 1 } }), completion, 1],
  'a refusal': [played.refuses, /^refused to answer$/, 1],
  'a filtered answer': [played.endsFor('content_filter'), /^the answer was filtered$/, 1],
  'a truncated answer': [played.endsFor('length'), /^the answer was truncated at the maximum length$/, 1],
  'no usage': [played.answersUsage(), tokens, 1],
  'usage below nothing': [played.answersUsage({ total_tokens: -1 }), tokens, 1],
  'half a token': [played.answersUsage({ total_tokens: 1.5 }), tokens, 1],
  'content that is prose': [played.answersContent('The first speaker is Zebedee.'), shape, 1],
  'content in a fence': [played.answersContent('```json\n{"speakers":[]}\n```'), shape, 1],
  'a list for an object': [played.answersContent(JSON.stringify([good])), shape, 1],
  'a speaker id in words': [played.proposes([{ ...good, speaker_id: '0' }]), shape, 1],
  'a null for a name': [played.proposes([{ ...good, name: null }]), shape, 1],
  'a field too many': [played.proposes([{ ...good, confidence: 1 }]), shape, 1],
  'a field too many at the top': [played.answersContent('{"speakers":[],"notes":""}'), shape, 1],
  'an interrupted body': [played.cutsOff, broken, 1],
  'interrupted headers': [played.cutsOffInHeaders, /^the connection to the model failed/, 1],
  '10 MB': [played.answersAfterWhitespace(megabytes(10)), /^the response is larger than 2097152 bytes$/, 1],
  'a body without end': [played.endless, /^the response is larger than 2097152 bytes$/, 1],
  'a reset before any answer': [played.resets, broken, 1],
  'a closed connection': [played.hangsUp, broken, 1],
};
