import type { Format } from './format.js';
import { amazonTranscribe, rekognitionDetection, rekognitionSearch } from './formats/amazon.js';
import { assemblyAi, assemblyAiRealtime, assemblyAiStreaming } from './formats/assemblyai.js';
import { avaCsv } from './formats/ava-csv.js';
import { azureSpeechBatch, azureVideoIndexer } from './formats/azure.js';
import { aswJson, cvat, mot } from './formats/face-tracks.js';
import { googleSpeech, googleVideoFaces } from './formats/google.js';
import { listFormats } from './formats/lists.js';
import { ctm, rttm, stm } from './formats/nist.js';
import {
  deepgram,
  deepgramLive,
  elevenLabs,
  gecko,
  ibmWatson,
  pyannoteJob,
  rev,
  speechmatics,
  speechmaticsV1,
  vosk,
} from './formats/recognisers.js';
import { ass, sbv, srt, webvtt, zoomVtt, ttml, youtubeJson3 } from './formats/subtitles.js';
import { teamsDocx, textTranscript } from './formats/text-transcript.js';
import { elan, praatTextGrid } from './formats/tiers.js';
import { whisperChunks, whisperCpp, whisperx } from './formats/whisper.js';

/** All formats and their variants. The first that recognises a document reads it. */
export const formats: ReadonlyArray<Format> = [
  zoomVtt,
  webvtt,
  srt,
  sbv,
  ass,
  praatTextGrid,
  rttm,
  ctm,
  stm,
  mot,
  avaCsv,
  textTranscript,
  elan,
  ttml,
  cvat,
  teamsDocx,
  aswJson,
  pyannoteJob,
  ...listFormats,
  amazonTranscribe,
  rekognitionDetection,
  rekognitionSearch,
  azureVideoIndexer,
  googleVideoFaces,
  deepgram,
  deepgramLive,
  rev,
  assemblyAi,
  assemblyAiStreaming,
  assemblyAiRealtime,
  speechmatics,
  speechmaticsV1,
  googleSpeech,
  azureSpeechBatch,
  elevenLabs,
  ibmWatson,
  vosk,
  gecko,
  whisperx,
  whisperCpp,
  whisperChunks,
  youtubeJson3,
];
