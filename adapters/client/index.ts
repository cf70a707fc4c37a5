export type { Answered, Call } from './call.js';
export * from './errors.js';
export type { Fetch, FetchAnswer } from './send.js';
export type * from './interface.js';
export { MediaAnalysis, type RunAddress } from './media-analysis.js';
export { Pager, type Page } from './pager.js';
export type { CallOptions, Query } from './request.js';
export type { ResultsAddress, ResultsSocket, WebSocketConstructor } from './results.js';
export type { ClientOptions } from './transport.js';
