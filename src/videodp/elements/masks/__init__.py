"""The shape of each element within its box: what is protected, and what is drawn."""

from videodp.elements.masks.silhouettes import Silhouette, plain_silhouettes, silhouettes

__all__ = ["Silhouette", "plain_silhouettes", "silhouettes"]
