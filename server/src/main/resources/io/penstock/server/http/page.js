'use strict';

const field = (id) => document.getElementById(id);

async function check(event) {
  event.preventDefault();
  const headers = {'Content-Type': 'application/json'};
  if (field('secret').value) {
    headers['X-API-Key'] = field('secret').value;
  }
  // Written by hand, because a number of the browser would round a large cost.
  const body = `{"domain":${JSON.stringify(field('domain').value)},`
      + `"descriptors":[[{"key":${JSON.stringify(field('key').value)},`
      + `"value":${JSON.stringify(field('value').value)}}]],"cost":${field('cost').value}}`;
  try {
    const response = await fetch('/v1/check', {method: 'POST', headers, body});
    const answer = await response.json();
    const verdict = field('verdict');
    verdict.className = answer.allowed ? 'allowed' : 'denied';
    verdict.textContent = 'allowed' in answer
        ? `${answer.allowed ? 'allowed' : 'denied'}: ${answer.reason}`
        : `${answer.status}: ${answer.detail}`;
    field('answer').textContent = JSON.stringify(answer, null, 2);
  } catch (error) {
    field('verdict').textContent = `no answer: ${error.message}`;
  }
}

field('check').addEventListener('submit', check);
