'use strict';
const numbers = JSON.parse(document.getElementById('numbers').textContent);
const trials = numbers.algorithms;
const PANEL = 110, WINDOW = 84, GAP = 30, LEFT = 46, RIGHT = 8, TOP = 14;

function element(parent, name, text, attributes) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

function shape(parent, name, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

const trim = number => String(+number.toPrecision(3));
const pad = number => String(number).padStart(2, '0');
const count = number => number.toLocaleString('en');

function length(seconds) {
  if (seconds === 0) return '0s';
  if (seconds < 1e-3) return trim(seconds * 1e6) + 'µs';
  if (seconds < 1) return trim(seconds * 1e3) + 'ms';
  if (seconds < 60) return trim(seconds) + 's';
  const units = [[86400, 'day', 3600, 'hour'], [3600, 'hour', 60, 'min'], [60, 'min', 1, 's']];
  const [unit, name, part, partName] = units.find(u => seconds >= u[0]);
  const rest = Math.floor(seconds % unit / part);
  return Math.floor(seconds / unit) + name + (rest ? ' ' + rest + partName : '');
}

function instant(seconds) {
  if (seconds < 60) return +seconds.toFixed(numbers.binSeconds < 0.01 ? 3 : 2) + 's';
  const s = Math.floor(seconds), m = Math.floor(s / 60), h = Math.floor(m / 60);
  if (h === 0) return m + ':' + pad(s % 60);
  if (h < 24) return h + ':' + pad(m % 60) + ':' + pad(s % 60);
  const day = 'day ' + (Math.floor(h / 24) + 1);
  return s % 86400 === 0 ? day : day + ' ' + pad(h % 24) + ':' + pad(m % 60);
}

function ticks(apartSeconds) {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200];
  let step = steps.find(s => s >= apartSeconds);
  if (apartSeconds < 1 || step === undefined) {
    const unit = apartSeconds < 1 ? 1 : 86400;
    const power = unit * 10 ** Math.floor(Math.log10(apartSeconds / unit));
    step = [1, 2, 5, 10].map(m => m * power).find(s => s >= apartSeconds);
  }
  const found = [];
  for (let n = 0; n * step <= numbers.horizonSeconds * 1.0001; n++) found.push(n * step);
  return found;
}

/* A round number not below the largest value, so that axes end on something readable. */
function roof(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10].map(m => m * power).find(r => r >= value);
}

/* How many bins to join so that each is wide enough to be seen. */
const binsIn = (pixels, plot) => Math.max(1, Math.ceil(numbers.offered.length * pixels / plot));

function join(values, size, combine) {
  const joined = [];
  for (let i = 0; i < values.length; i += size) joined.push(values.slice(i, i + size).reduce(combine));
  return joined;
}
const sum = (a, b) => a + b;
const most = (a, b) => Math.max(a, b);

function header() {
  document.getElementById('limit').textContent = numbers.limit;
  document.getElementById('traffic').textContent = numbers.traffic;
  document.title = numbers.limit + ' · Penstock simulation';
  const units = numbers.units === numbers.requests ? '' : ' of ' + count(numbers.units) + ' units';
  document.getElementById('facts').textContent = count(numbers.requests) + ' requests' + units + ' in '
      + length(numbers.trafficSeconds) + ', at most ' + count(numbers.offeredPeak) + ' in any '
      + numbers.limits[0].period + '; seed ' + numbers.seed;
  const notes = document.getElementById('notes');
  const tenth = length(trials[0].tenthSeconds);
  element(notes, 'li', 'Fano factor: how uneven it runs per ' + tenth + '; 0 is even, 1 random, more is bursty.');
  if (trials.some(t => t.queue)) {
    element(notes, 'li', 'leaky-queue is shown when requests run, which is after their wait.');
  }
  for (const note of numbers.notes) element(notes, 'li', note);
}

function table() {
  const summary = document.getElementById('summary');
  const one = numbers.limits.length === 1;
  const columns = [
    ['algorithm', t => t.algorithm],
    ['asked', t => count(t.asked)],
    ['admitted', t => count(t.admitted)],
    ['denied', t => (100 * t.deniedShare).toFixed(1) + '%'],
    ['peak in any ' + (one ? numbers.limits[0].period : 'period') + ' ÷ limit', t => {
      const peak = t.peaks[t.tightest];
      const period = one ? '' : ' in ' + numbers.limits[t.tightest].period;
      return count(peak.units) + period + ' = ' + peak.ratio.toFixed(2) + '×';
    }, t => t.peaks[t.tightest].ratio > 1],
    ['longest denial', t => t.denied ? t.longestDenialRequests + ' in ' + length(t.longestDenialSeconds) : '–'],
    ['peak in any ' + length(trials[0].tenthSeconds), t => count(t.tenthPeak)],
    ['Fano factor', t => t.fano === null ? '–' : t.fano.toFixed(2)],
  ];
  if (trials.some(t => t.queue)) {
    columns.push(['wait: mean, max',
      t => t.queue ? length(t.waitMeanSeconds) + ', ' + length(t.waitMaxSeconds) : '–']);
  }
  const head = element(element(summary, 'thead'), 'tr');
  for (const [name] of columns) element(head, 'th', name, {scope: 'col'});
  const body = element(summary, 'tbody');
  for (const trial of trials) {
    const row = element(body, 'tr');
    for (const [, text, over] of columns) {
      element(row, 'td', text(trial), {className: over && over(trial) ? 'over' : ''});
    }
  }
}

function draw(svg, trial) {
  const width = svg.clientWidth, plot = width - LEFT - RIGHT;
  const size = binsIn(5, plot), windowSize = binsIn(2, plot);
  const add = values => join(values, size, sum);
  const bin = numbers.binSeconds * size;
  const x = seconds => LEFT + Math.min(1, seconds / numbers.horizonSeconds) * plot;
  const series = {bin, x, offered: add(numbers.offered), admitted: add(trial.admittedPerBin),
    denied: add(trial.deniedPerBin), windowBin: numbers.binSeconds * windowSize,
    windows: trial.peaks.map(p => join(p.windowPerBin, windowSize, most))};
  const bottom = TOP + PANEL + trial.peaks.length * (WINDOW + GAP);
  svg.replaceChildren();
  svg.setAttribute('height', bottom + 20);
  svg.setAttribute('viewBox', `0 0 ${width} ${bottom + 20}`);
  times(svg, x, bottom, plot);
  bars(svg, series, add);
  trial.peaks.forEach((peak, i) =>
      sliding(svg, series, i, peak, TOP + PANEL + GAP + i * (WINDOW + GAP)));
  const cursor = shape(svg, 'line', {class: 'cursor', y1: TOP, y2: bottom});
  return {cursor, series, trial, svg};
}

function times(svg, x, bottom, plot) {
  for (const tick of ticks(numbers.horizonSeconds * 76 / plot)) {
    shape(svg, 'line', {class: 'grid', x1: x(tick), x2: x(tick), y1: TOP, y2: bottom});
    const nearEnd = x(tick) > LEFT + plot - 14;
    shape(svg, 'text', {x: nearEnd ? LEFT + plot + RIGHT : x(tick), y: bottom + 15,
      'text-anchor': nearEnd ? 'end' : 'middle'}, instant(tick));
  }
}

function scale(svg, top, height, max, label) {
  shape(svg, 'line', {class: 'axis', x1: LEFT, x2: svg.clientWidth - RIGHT, y1: top + height, y2: top + height});
  shape(svg, 'text', {x: LEFT - 7, y: top + 8, 'text-anchor': 'end'}, count(max));
  shape(svg, 'text', {x: LEFT - 7, y: top + height, 'text-anchor': 'end'}, '0');
  shape(svg, 'text', {x: LEFT + 2, y: top - 4}, label);
}

function bars(svg, {bin, x, offered, admitted, denied}, add) {
  const stacked = trials.map(t => Math.max(...add(t.admittedPerBin).map((a, i) => a + add(t.deniedPerBin)[i])));
  const max = roof(Math.max(...stacked, ...offered));
  const base = TOP + PANEL, y = value => value / max * PANEL;
  let line = `M${x(0)} ${base}`;
  scale(svg, TOP, PANEL, max, 'per ' + length(bin));
  offered.forEach((value, i) => {
    const from = x(i * bin), to = x((i + 1) * bin), gap = to - from > 4 ? 1 : 0.4;
    const box = {x: from + gap / 2, width: Math.max(0.5, to - from - gap)};
    const a = y(admitted[i]), d = y(denied[i]);
    if (a) shape(svg, 'rect', {class: 'admitted', ...box, y: base - a, height: a});
    if (d) shape(svg, 'rect', {class: 'denied', ...box, y: base - a - d, height: d});
    line += `V${base - y(value)}H${to}`;
  });
  shape(svg, 'path', {class: 'offered', d: line + `V${base}`});
}

function sliding(svg, {windowBin, x, windows}, index, peak, top) {
  const limit = numbers.limits[index];
  const max = roof(1.08 * Math.max(limit.count, ...trials.flatMap(t => t.peaks[index].windowPerBin)));
  const base = top + WINDOW, y = value => base - value / max * WINDOW;
  const area = from => {
    let path = `M${x(0)} ${y(from)}`;
    windows[index].forEach((value, i) => {
      path += `V${y(Math.max(from, value))}H${x((i + 1) * windowBin)}`;
    });
    return path + `V${y(from)}Z`;
  };
  scale(svg, top, WINDOW, max, 'in the ' + limit.period + ' before');
  shape(svg, 'path', {class: 'window', d: area(0)});
  const right = svg.clientWidth - RIGHT;
  if (peak.ratio > 1) {
    shape(svg, 'path', {class: 'over', d: area(limit.count)});
    const at = x(peak.lastSeconds), nearEnd = at > right - 90;
    shape(svg, 'text', {class: 'over', x: at, y: y(peak.units) - 4, 'text-anchor': nearEnd ? 'end' : 'start'},
        count(peak.units) + ' = ' + peak.ratio.toFixed(2) + '×');
  }
  shape(svg, 'line', {class: 'limit', x1: LEFT, x2: right, y1: y(limit.count), y2: y(limit.count)});
  shape(svg, 'text', {class: 'limit', x: right, y: y(limit.count) - 4, 'text-anchor': 'end'},
      'limit ' + count(limit.count));
}

function point(chart, event) {
  const {series, trial, svg} = chart;
  const plot = svg.clientWidth - LEFT - RIGHT;
  const at = (event.clientX - svg.getBoundingClientRect().left - LEFT) / plot * numbers.horizonSeconds;
  const i = Math.floor(at / series.bin);
  if (i < 0 || i >= series.offered.length) return leave();
  const tip = document.getElementById('tip');
  tip.replaceChildren();
  element(tip, 'b', instant(i * series.bin) + ' – ' + instant((i + 1) * series.bin));
  const rows = [['offered', series.offered[i]], ['admitted', series.admitted[i]], ['denied', series.denied[i]]];
  trial.peaks.forEach((peak, n) => {
    const held = series.windows[n][Math.floor(at / series.windowBin)];
    rows.push(['of ' + count(numbers.limits[n].count) + ' in the ' + numbers.limits[n].period + ' before', held]);
  });
  for (const [name, value] of rows) {
    const row = element(tip, 'div', count(value) + ' ');
    element(row, 'span', name);
  }
  tip.hidden = false;
  tip.style.left = 0; // measured away from the edge, where it would be squeezed
  const box = tip.getBoundingClientRect();
  const right = event.clientX + 14 + box.width > innerWidth;
  tip.style.left = Math.max(4, right ? event.clientX - 14 - box.width : event.clientX + 14) + 'px';
  tip.style.top = Math.max(4, Math.min(event.clientY - box.height / 2, innerHeight - box.height - 4)) + 'px';
  for (const other of charts) {
    const middle = series.x((i + 0.5) * series.bin);
    other.cursor.setAttribute('x1', middle);
    other.cursor.setAttribute('x2', middle);
    other.cursor.style.visibility = 'visible';
  }
}

function leave() {
  document.getElementById('tip').hidden = true;
  for (const chart of charts) chart.cursor.style.visibility = 'hidden';
}

header();
table();
const charts = trials.map(trial => {
  const section = element(document.getElementById('algorithms'), 'section');
  const heading = element(section, 'h2', trial.algorithm);
  element(heading, 'small', trial.limit);
  element(section, 'p', trial.reading, {className: 'quiet'});
  const svg = shape(section, 'svg', {role: 'img', 'aria-label': trial.algorithm + ': ' + trial.reading});
  const chart = draw(svg, trial);
  svg.addEventListener('pointermove', event => point(chart, event));
  svg.addEventListener('pointerdown', event => point(chart, event));
  svg.addEventListener('pointerleave', leave);
  return chart;
});
let drawnWidth = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === drawnWidth) return;
  drawnWidth = innerWidth;
  charts.forEach(chart => Object.assign(chart, draw(chart.svg, chart.trial)));
});
