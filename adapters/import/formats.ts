import type { Format } from './format.js';
import { amazonTranscribe } from './formats/amazon-transcribe.js';
import { rekognitionDetection, rekognitionSearch } from './formats/amazon-rekognition.js';
import { ass, sbv, srt, webvtt, zoomVtt } from './formats/subtitles.js';
import { assemblyAiRealtime, assemblyAiStreaming, assemblyAi } from './formats/assemblyai.js';
import { aswJson } from './formats/asw-json.js';
import { avaCsv } from './formats/ava-csv.js';
import { azureSpeechBatch, azureVideoIndexer } from './formats/azure.js';
import { ctm, stm, rttm } from './formats/nist.js';
import { cvat } from './formats/cvat.js';
import { deepgramLive, deepgram } from './formats/deepgram.js';
import { elan } from './formats/elan.js';
import { elevenLabs } from './formats/elevenlabs.js';
import { googleSpeech, googleVideoFaces } from './formats/google.js';
import { ibmWatson } from './formats/ibm-watson.js';
import { listFormats } from './formats/lists.js';
import { mot } from './formats/mot.js';
import { praatTextGrid } from './formats/praat-textgrid.js';
import { pyannoteAnnotation, pyannoteJob } from './formats/pyannote-json.js';
import { rev } from './formats/rev.js';
import { speechmatics, speechmaticsV1 } from './formats/speechmatics.js';
import { teamsDocx, textTranscript } from './formats/text-transcript.js';
import { ttml } from './formats/ttml.js';
import { gecko, vosk } from './formats/vosk.js';
import { whisperChunks, whisperx, whisperCpp } from './formats/whisper.js';
import { youtubeJson3 } from './formats/youtube-json3.js';

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
  pyannoteAnnotation,
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
