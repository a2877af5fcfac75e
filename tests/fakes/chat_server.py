"""A real server on loopback that answers as the chat endpoints of OpenAI and Anthropic do, and counts."""

import json
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response


class ChatServer:
    """Each answer tells which call it is of. One server may serve many tests, one after another."""

    def __init__(self, server: HTTPServer) -> None:
        self.url = server.url_for("")
        self.asked: list[dict[str, Any]] = []
        """The bodies of all calls."""
        self.headers: list[dict[str, str]] = []
        self.fails = False
        self.says = "answer {call}"
        """The text of an answer that is no stream."""
        for path, answer in (
            ("/v1/chat/completions", self._completion),
            ("/v1/responses", self._response),
            ("/v1/embeddings", self._embeddings),
            ("/v1/messages", self._message),
        ):
            server.expect_request(path, method="POST").respond_with_handler(self._counted(answer))

    @property
    def n_calls(self) -> int:
        return len(self.asked)

    def _counted(self, answer: Any) -> Any:
        def handle(request: Request) -> Response:
            body = json.loads(request.get_data())
            self.asked.append(body)
            self.headers.append(dict(request.headers))
            if self.fails:
                return _json({"error": {"message": "no such model", "type": "invalid_request_error"}}, 400)
            found: Response = answer(body, self.n_calls)
            return found

        return handle

    def _text(self, call: int) -> str:
        return self.says.replace("{call}", str(call))

    def _completion(self, body: dict[str, Any], call: int) -> Response:
        head = {"id": f"chat-{call}", "created": 1, "model": body["model"]}
        if body.get("stream"):
            parts: list[dict[str, Any]] = [
                {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "answer "}}]},
                {"choices": [{"index": 0, "delta": {"content": str(call)}, "finish_reason": "stop"}]},
                {"choices": [], "usage": _OPENAI_USAGE},
            ]
            head["object"] = "chat.completion.chunk"
            return _events([head | part for part in parts], ending="[DONE]")
        message = {"role": "assistant", "content": self._text(call)}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        return _json({**head, "object": "chat.completion", "choices": choices, "usage": _OPENAI_USAGE})

    def _response(self, body: dict[str, Any], call: int) -> Response:
        text = {"type": "output_text", "text": self._text(call), "annotations": []}
        message = {
            "type": "message", "id": "m", "status": "completed", "role": "assistant", "content": [text],
        }  # fmt: skip
        usage = {"input_tokens": 5, "output_tokens": 6, "total_tokens": 11}
        head = {"id": f"resp-{call}", "object": "response", "created_at": 1, "model": body["model"]}
        return _json({**head, "output": [message], "usage": usage, "status": "completed"})

    def _embeddings(self, body: dict[str, Any], call: int) -> Response:
        del call
        data = [
            {"object": "embedding", "index": place, "embedding": [0.0, 1.0, 0.0]}
            for place, _ in enumerate(body["input"])
        ]
        return _json({"object": "list", "data": data, "model": body["model"], "usage": _OPENAI_USAGE})

    def _message(self, body: dict[str, Any], call: int) -> Response:
        head = {
            "id": f"msg-{call}", "type": "message", "role": "assistant", "model": body["model"],
            "stop_reason": None, "stop_sequence": None,
        }  # fmt: skip
        if body.get("stream"):
            begun = {**head, "content": [], "usage": {"input_tokens": 7, "output_tokens": 1}}
            empty = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": f"answer {call}"}
            return _events(
                [
                    {"type": "message_start", "message": begun},
                    {"type": "content_block_start", "index": 0, "content_block": empty},
                    {"type": "content_block_delta", "index": 0, "delta": delta},
                    {"type": "content_block_stop", "index": 0},
                    {
                        "type": "message_delta",
                        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                        "usage": {"output_tokens": 9},
                    },
                    {"type": "message_stop"},
                ]
            )
        usage = {"input_tokens": 7, "output_tokens": 9}
        content = [{"type": "text", "text": self._text(call)}]
        return _json({**head, "content": content, "usage": usage, "stop_reason": "end_turn"})


_OPENAI_USAGE = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}


def _json(body: Any, status: int = 200) -> Response:
    return Response(json.dumps(body), status=status, content_type="application/json")


def _events(events: list[dict[str, Any]], *, ending: str | None = None) -> Response:
    lines = [
        (f"event: {event['type']}\n" if "type" in event else "") + f"data: {json.dumps(event)}\n\n"
        for event in events
    ]
    if ending is not None:
        lines.append(f"data: {ending}\n\n")
    return Response("".join(lines), content_type="text/event-stream")
